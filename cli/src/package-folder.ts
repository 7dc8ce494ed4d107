/** The folder of package.json and the recipes. The published package is bundled: its files are in lib, as deep as src. */
export const packageFolder = new URL("../", import.meta.url);
