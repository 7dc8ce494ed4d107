/**
 * Derives ids from names: the same name gets the same slug in every import, as long as it is unique. A second one gets a
 * number.
 */
export function uniqueSlugs(): (name: string) => string {
  const used = new Set<string>();
  return (name) => {
    const plain = name
      .normalize("NFD")
      .replaceAll(/\p{M}/gu, "")
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "_")
      .replaceAll(/^_+|_+$/g, "");
    const slug = (/^[a-z]/.test(plain) ? plain : `id_${plain}`).slice(0, 50).replace(/_+$/, "");
    let unique = slug;
    for (let number = 2; used.has(unique); number += 1) unique = `${slug}_${number}`;
    used.add(unique);
    return unique;
  };
}
