interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

/**
 * The CSP requires Trusted Types. This default policy allows only text without markup, such as the style sheets that
 * Mantine inserts.
 */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy("default", {
  createHTML: (text) => (text.includes("<") ? null : text),
});

// zod compiles its parsers with `new Function`, which the CSP refuses and reports. It reads this global when it loads.
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } });
