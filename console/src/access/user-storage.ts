const prefix = "hearback.user.";

/** The localStorage key of data that belongs to a user. It is removed when the user signs out. */
export const userKey = (userId: string, name: string): string => `${prefix}${userId}.${name}`;

/** The keys of a user that start with `name`. */
export function userKeys(userId: string, name: string): string[] {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(userKey(userId, name)));
  } catch {
    return [];
  }
}

/** Removes what is stored for any user. */
export function clearUserStorage(): void {
  try {
    for (const key of Object.keys(localStorage)) if (key.startsWith(prefix)) localStorage.removeItem(key);
  } catch {
    // Storage is unavailable: nothing is stored.
  }
}
