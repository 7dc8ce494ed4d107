import type { Transporter } from "nodemailer";

export interface Email {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

export interface Mail {
  /** Passes the email to the mail server, or throws. */
  send(email: Email): Promise<void>;
  close(): void;
}

/** Loads the mail library on first use, because most processes never send email. */
export function openMail({ url, from }: { url: string; from: string }): Mail {
  let opened: Promise<Transporter> | undefined;
  return {
    async send(email) {
      opened ??= openTransport(url);
      const transport = await opened;
      // Drop the mail server's message: it contains the address and would be logged.
      await transport.sendMail({ from, ...email, to: { name: "", address: email.to } }).catch((error) => {
        throw new Error(`the mail server rejected an email (${error.responseCode ?? error.code ?? "no code"})`);
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
    // User-provided text must never make the library read a file or URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
  return createTransport(options as Parameters<typeof createTransport>[0]);
}
