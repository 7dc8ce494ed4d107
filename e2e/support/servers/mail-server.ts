import { once } from "node:events";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";

/** An SMTP server that stores emails. */
export interface MailServer {
  readonly url: string;
  readonly letters: readonly Letter[];
  close(): Promise<void>;
}

export interface Letter {
  readonly to: string;
  /** Decoded, with its headers. */
  readonly text: string;
}

export async function openMailServer(): Promise<MailServer> {
  const letters: Letter[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    logger: false,
    onData(stream, session, done) {
      text(stream).then((sent) => {
        for (const { address } of session.envelope.rcptTo) letters.push({ to: address, text: readable(sent) });
        done();
      }, done);
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  if (typeof address !== "object" || !address) throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    letters,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Decodes quoted-printable. */
function readable(sent: string): string {
  const plain = sent.replaceAll("\r\n", "\n");
  if (!/^content-transfer-encoding: quoted-printable$/im.test(plain)) return plain;
  const bytes = plain
    .replaceAll("=\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
