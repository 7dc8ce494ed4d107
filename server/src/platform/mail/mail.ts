import type { Transporter } from "nodemailer";

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

/** The library is loaded when the first letter is sent: most processes never send one. */
export function openMail({ url, from }: { url: string; from: string }): Mail {
  let opened: Promise<Transporter> | undefined;
  return {
    async send(letter) {
      opened ??= openTransport(url);
      const transport = await opened;
      // The mail server's own words repeat the address, and would end in a log.
      await transport.sendMail({ from, ...letter, to: { name: "", address: letter.to } }).catch((error) => {
        throw new Error(`the mail server did not take a letter (${error.responseCode ?? error.code ?? "no code"})`);
      });
    },
    close() {
      void opened?.then((transport) => transport.close());
    },
  };
}

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import("nodemailer");
  const options = {
    url,
    pool: true,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 30_000,
    // A letter is made of text of ours and names of users: it must never open a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options as Parameters<typeof createTransport>[0]);
}
