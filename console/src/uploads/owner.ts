/** Whose uploads they are. Apart from these, which are fetched later than every page around them, or never. */
let owner: string | undefined;
let listener: (userId: string) => void = () => undefined;

/** Somebody is signed in. */
export function beOwner(userId: string): void {
  owner = userId;
  listener(userId);
}

/** Calls back with who is signed in, now and whenever it is somebody else. */
export function onOwner(then: (userId: string) => void): void {
  listener = then;
  if (owner !== undefined) then(owner);
}
