/** User who owns the uploads. Separate from the queue, which is loaded lazily. */
let owner: string | undefined;
let listener: (userId: string) => void = () => undefined;

export function setOwner(userId: string): void {
  owner = userId;
  listener(userId);
}

/** Calls the listener with the owner, now and on every change. */
export function onOwner(then: (userId: string) => void): void {
  listener = then;
  if (owner !== undefined) then(owner);
}
