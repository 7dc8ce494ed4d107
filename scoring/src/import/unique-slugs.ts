import { uniqueSlug } from "../slug.ts";

/**
 * Derives ids from names: the same name gets the same slug in every import, as long as it is unique. A second one gets a
 * number.
 */
export function uniqueSlugs(): (name: string) => string {
  const used = new Set<string>();
  return (name) => {
    const unique = uniqueSlug(name, (slug) => used.has(slug));
    used.add(unique);
    return unique;
  };
}
