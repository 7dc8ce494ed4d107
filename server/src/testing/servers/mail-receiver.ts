import { once } from "node:events";
import { SMTPServer } from "smtp-server";

export interface ReceivedMail {
  readonly to: readonly string[];
  readonly text: string;
}

/** An SMTP server that defers the first emails, as many as `deferred`, and keeps the others. */
export async function openMailReceiver({ deferred = 0 } = {}) {
  const received: ReceivedMail[] = [];
  let deferrals = deferred;
  const server = new SMTPServer({
    closeTimeout: 100,
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData(stream, session, done) {
      let text = "";
      stream.setEncoding("utf8").on("data", (piece: string) => {
        text += piece;
      });
      stream.on("end", () => {
        if (deferrals-- > 0) return done(Object.assign(new Error("try again later"), { responseCode: 451 }));
        received.push({ to: session.envelope.rcptTo.map(({ address }) => address), text });
        return done();
      });
    },
  });
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  const address = server.server.address();
  const port = typeof address === "object" && address ? address.port : 0;
  return {
    received,
    /** Settings of a server that sends its email here. */
    settings: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: "Hearback <hb@example.com>" },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}
