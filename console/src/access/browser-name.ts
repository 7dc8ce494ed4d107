/** In this order: each of them also says the names of those after it. */
const browsers = [
  [/Edg(e|A|iOS)?\//, "Edge"],
  [/OPR\/|Opera/, "Opera"],
  [/SamsungBrowser\//, "Samsung Internet"],
  [/Firefox\/|FxiOS\//, "Firefox"],
  [/Chrome\/|CriOS\/|Chromium\//, "Chrome"],
  [/Safari\//, "Safari"],
] as const;

const systems = [
  [/iPhone|iPad|iPod/, "iOS"],
  [/Android/, "Android"],
  [/Windows/, "Windows"],
  [/Macintosh|Mac OS X/, "macOS"],
  [/CrOS/, "ChromeOS"],
  [/Linux/, "Linux"],
] as const;

/** What a browser calls itself → how people call it and what it runs on; whatever is not known is absent. */
export function browserName(userAgent: string | null): { readonly browser?: string; readonly system?: string } {
  const [browser, system] = [browsers, systems].map((names) => names.find(([sign]) => sign.test(userAgent ?? ""))?.[1]);
  return { ...(browser && { browser }), ...(system && { system }) };
}
