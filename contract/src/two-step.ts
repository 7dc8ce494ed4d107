import { z } from "zod";
import { exampleOf } from "./page.ts";
import { Problem } from "./problem.ts";
import { nameUpTo, text } from "./text.ts";

/** Second factors for two-step verification. */
export const secondFactors = ["totp", "passkey", "recovery_code"] as const;
export type SecondFactor = (typeof secondFactors)[number];

/** Which users must use two-step verification when they sign in with a password. */
export const twoStepRules = ["optional", "admins", "all"] as const;
export type TwoStepRule = (typeof twoStepRules)[number];

/** 401: the password is correct, but a second step is required. */
export const SecondStepNeededProblem = Problem.extend({
  methods: z.array(z.enum(secondFactors)).optional().meta({ description: "Available methods for the second step." }),
}).meta({ id: "SecondStepNeededProblem" });

const code = text(6, 20).meta({ description: "The 6-digit code from the authenticator app.", example: "492039" });

export const SecondStepBody = z
  .strictObject({
    code: code.optional(),
    recovery_code: text(1, 60).optional().meta({
      description: "A recovery code, instead of `code`. Each works once.",
      example: "K7QM-2XVD-9HTB-4FWN",
    }),
  })
  .meta({ id: "SecondStep", examples: [{ code: "492039" }] });

export const PasskeyItemBody = z
  .object({
    id: z.uuid(),
    name: z.string(),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().nullable(),
  })
  .meta({
    id: "Passkey",
    examples: [
      {
        id: "7d9f3f5e-6c0b-4d6e-9b0e-0f6a3b1f2c4d",
        name: "Ann's phone",
        created_at: "2026-11-15T08:00:00.000Z",
        last_used_at: null,
      },
    ],
  });
export type PasskeyItemBody = z.output<typeof PasskeyItemBody>;

export const TwoStepBody = z
  .object({
    required: z.boolean().meta({ description: "Whether the workspace requires this user to have a second factor." }),
    totp: z
      .object({ confirmed_at: z.iso.datetime() })
      .nullable()
      .meta({ description: "The authenticator app. null: not set up." }),
    passkeys: z.array(PasskeyItemBody),
    recovery_codes_left: z.int(),
  })
  .meta({
    id: "TwoStep",
    examples: [
      {
        required: true,
        totp: { confirmed_at: "2026-11-15T08:00:00.000Z" },
        passkeys: [exampleOf(PasskeyItemBody)],
        recovery_codes_left: 10,
      },
    ],
  });
export type TwoStepBody = z.output<typeof TwoStepBody>;

export const NewTotpBody = z
  .object({
    secret: z
      .string()
      .meta({ description: "Base32 secret, for manual entry in the app.", example: "JBSWY3DPEHPK3PXP" }),
    uri: z.string().meta({ description: "otpauth:// URI, to show as a QR code." }),
  })
  .meta({
    id: "NewTotp",
    examples: [
      {
        secret: "JBSWY3DPEHPK3PXP",
        uri: "otpauth://totp/Hearback:ann@example.com?secret=JBSWY3DPEHPK3PXP&issuer=Hearback",
      },
    ],
  });
export type NewTotpBody = z.output<typeof NewTotpBody>;

export const ConfirmTotpBody = z.strictObject({ code }).meta({ id: "ConfirmTotp", examples: [{ code: "492039" }] });

const recoveryCodes = z.array(z.string().meta({ example: "K7QM-2XVD-9HTB-4FWN" }));

export const FactorAddedBody = z
  .object({
    two_step: TwoStepBody,
    recovery_codes: recoveryCodes.nullable().meta({
      description:
        "Ten single-use codes that replace the second step. Shown only once. null: recovery codes already exist.",
    }),
  })
  .meta({
    id: "FactorAdded",
    examples: [{ two_step: exampleOf(TwoStepBody), recovery_codes: ["K7QM-2XVD-9HTB-4FWN"] }],
  });
export type FactorAddedBody = z.output<typeof FactorAddedBody>;

export const RecoveryCodesBody = z
  .object({ recovery_codes: recoveryCodes.meta({ description: "Shown only once. Earlier codes are invalid." }) })
  .meta({ id: "RecoveryCodes", examples: [{ recovery_codes: ["K7QM-2XVD-9HTB-4FWN"] }] });
export type RecoveryCodesBody = z.output<typeof RecoveryCodesBody>;

export const TwoStepCountsBody = z
  .object({
    admins: z.int().meta({ description: "Administrators without a second factor." }),
    all: z.int().meta({ description: "All users without a second factor, including administrators." }),
  })
  .meta({
    id: "TwoStepCounts",
    description: "Active users who sign in with a password and have no second factor.",
    examples: [{ admins: 1, all: 7 }],
  });
export type TwoStepCountsBody = z.output<typeof TwoStepCountsBody>;

const base64url = (max: number) => text(1, max).meta({ description: "base64url" });

/** Members of a WebAuthn PublicKeyCredential other than `response`. */
const credential = {
  id: base64url(2000),
  rawId: base64url(2000),
  type: z.literal("public-key"),
  authenticatorAttachment: text(1, 30).nullish(),
  clientExtensionResults: z.record(z.string(), z.unknown()).optional(),
};

/** PublicKeyCredentialCreationOptionsJSON or PublicKeyCredentialRequestOptionsJSON of WebAuthn. */
export const PasskeyOptionsBody = z.looseObject({ challenge: z.string() }).meta({
  id: "PasskeyOptions",
  description: "Options for `navigator.credentials`, in WebAuthn's JSON form.",
  examples: [{ challenge: "Zk3v0uJ8mQxT1r5yYw2nB7cH4sD9fG6aLpE0iKoRtUM" }],
});
export type PasskeyOptionsBody = z.output<typeof PasskeyOptionsBody>;

const exampleCredential = { id: "AQ", rawId: "AQ", type: "public-key" };

export const AddPasskeyBody = z
  .strictObject({
    name: nameUpTo(100).meta({ example: "Ann's phone" }),
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8000),
        attestationObject: base64url(40_000),
        transports: z.array(text(1, 30)).max(10).optional(),
      }),
    }),
  })
  .meta({
    id: "AddPasskey",
    examples: [
      {
        name: "Ann's phone",
        credential: { ...exampleCredential, response: { clientDataJSON: "e30", attestationObject: "oA" } },
      },
    ],
  });
export type AddPasskeyBody = z.output<typeof AddPasskeyBody>;

export const PasskeySignInBody = z
  .strictObject({
    credential: z.object({
      ...credential,
      response: z.object({
        clientDataJSON: base64url(8000),
        authenticatorData: base64url(8000),
        signature: base64url(4000),
        userHandle: base64url(200).optional(),
      }),
    }),
  })
  .meta({
    id: "PasskeySignIn",
    examples: [
      {
        credential: {
          ...exampleCredential,
          response: { clientDataJSON: "e30", authenticatorData: "AA", signature: "AA", userHandle: "AA" },
        },
      },
    ],
  });
export type PasskeySignInBody = z.output<typeof PasskeySignInBody>;
