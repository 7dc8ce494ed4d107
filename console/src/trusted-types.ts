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
