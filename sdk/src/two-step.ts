import type { RequestOptions, Transport } from "./transport.ts";
import type { FactorAddedBody, NewTotpBody, PasskeyOptionsBody, RecoveryCodesBody, TwoStepBody } from "./wire.ts";

const path = "/session/two-step";

/** Two-step verification of the signed-in user. Changes need a recent `session.confirm`. */
export function openTwoStep(transport: Transport) {
  return {
    find: (options: RequestOptions = {}): Promise<TwoStepBody> => transport.json({ method: "GET", path, ...options }),
    /** Creates a secret for an authenticator app. It is active after `confirmTotp`. */
    beginTotp: (options: RequestOptions = {}): Promise<NewTotpBody> =>
      transport.json({ method: "POST", path: `${path}/totp`, ...options }),
    confirmTotp: (code: string, options: RequestOptions = {}): Promise<FactorAddedBody> =>
      transport.json({ method: "POST", path: `${path}/totp/confirm`, body: { code }, ...options }),
    removeTotp: (options: RequestOptions = {}): Promise<void> => transport.remove(`${path}/totp`, options),
    /** Returns the WebAuthn options for `navigator.credentials.create`. */
    beginPasskey: (options: RequestOptions = {}): Promise<PasskeyOptionsBody> =>
      transport.json({ method: "POST", path: `${path}/passkeys/options`, ...options }),
    /** Adds the passkey from `navigator.credentials.create`. */
    addPasskey: (name: string, credential: object, options: RequestOptions = {}): Promise<FactorAddedBody> =>
      transport.json({ method: "POST", path: `${path}/passkeys`, body: { name, credential }, ...options }),
    removePasskey: (id: string, options: RequestOptions = {}): Promise<void> =>
      transport.remove(`${path}/passkeys/${encodeURIComponent(id)}`, options),
    /** Creates ten recovery codes. Earlier codes become invalid. */
    createRecoveryCodes: (options: RequestOptions = {}): Promise<RecoveryCodesBody> =>
      transport.json({ method: "POST", path: `${path}/recovery-codes`, ...options }),
  };
}
export type TwoStep = ReturnType<typeof openTwoStep>;
