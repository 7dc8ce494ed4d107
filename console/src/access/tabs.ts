/** All tabs of a browser have one cookie: whoever signs in in one of them is signed in in every one. */
const name = "hearback.signed-in";
// Two, because none hears what it says itself: this tab is to hear it, too.
const said = new BroadcastChannel(name);
const heard = new BroadcastChannel(name);

/** Tells all tabs who is signed in. */
export const tellTabs = (userId: string): void => said.postMessage(userId);

/** Calls back with who is signed in, as one of the tabs has found out. */
export function onTabs(listener: (userId: string) => void): void {
  heard.addEventListener("message", ({ data }) => listener(String(data)));
}
