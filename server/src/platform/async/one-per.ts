/** Opens something once for each object, and keeps it for as long as the object exists. */
export function onePer<Owner extends object, Value>(open: (owner: Owner) => Value): (owner: Owner) => Value {
  const opened = new WeakMap<Owner, Value>();
  return (owner) => {
    const value = opened.get(owner) ?? open(owner);
    opened.set(owner, value);
    return value;
  };
}
