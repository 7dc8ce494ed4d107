interface TrustedTypes {
  createPolicy(name: string, rules: { createHTML(text: string): string | null }): unknown;
}

/**
 * The content-security policy lets no plain text become markup, a script or a script's address. The one exception is
 * text in which there is no markup: so are the style sheets that Mantine writes.
 */
const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
trustedTypes?.createPolicy("default", {
  createHTML: (text) => (text.includes("<") ? null : text),
});
