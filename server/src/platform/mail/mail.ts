import { createTransport } from "nodemailer";

export interface Letter {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mail {
  /** Hands the letter to the mail server, or throws. */
  send(letter: Letter): Promise<void>;
  close(): void;
}

export function openMail({ url, from }: { url: string; from: string }): Mail {
  const transport = createTransport({
    url,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A letter is made of text of ours and names of users: it must never open a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  } as Parameters<typeof createTransport>[0]);
  return {
    async send(letter) {
      await transport.sendMail({ from, ...letter, to: { name: "", address: letter.to } });
    },
    close: () => transport.close(),
  };
}
