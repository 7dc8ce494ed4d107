/** All tabs of a browser share one session cookie, so signing in in one tab signs in all of them. */
const name = "hearback.signed-in";
// A channel does not receive its own messages. Two channels let this tab receive them as well.
const sender = new BroadcastChannel(name);
const receiver = new BroadcastChannel(name);

/** Broadcasts the signed-in user to all tabs. */
export const broadcastSession = (userId: string): void => sender.postMessage(userId);

/** Calls the listener when any tab reports the signed-in user. */
export function onSessionBroadcast(listener: (userId: string) => void): void {
  receiver.addEventListener("message", ({ data }) => listener(String(data)));
}
