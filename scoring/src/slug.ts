/** The id that a title suggests: lowercase letters, digits and `_`, at most 50 characters. */
export function toSlug(title: string): string {
  const plain = title
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
  return (/^[a-z]/.test(plain) ? plain : `id_${plain}`).slice(0, 50).replace(/_+$/, "");
}

/** The slug of a title, with a number if it is taken. */
export function uniqueSlug(title: string, isTaken: (slug: string) => boolean): string {
  const slug = toSlug(title);
  let unique = slug;
  for (let number = 2; isTaken(unique); number += 1) unique = `${slug}_${number}`;
  return unique;
}
