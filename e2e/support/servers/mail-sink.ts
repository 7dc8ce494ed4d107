import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/** An SMTP server that accepts emails, or stalls in the middle of DATA. */
export interface MailSink {
  readonly url: string;
  /** Recipients of the accepted emails. */
  readonly taken: readonly string[];
  /** Number of stalled senders. */
  waiting(): number;
  /** Switches between accepting and stalling. */
  stall(stalled: boolean): void;
  close(): void;
}

export async function openMailSink(): Promise<MailSink> {
  const taken: string[] = [];
  const held = new Set<Socket>();
  const sockets = new Set<Socket>();
  let stalled = false;
  const server = createServer((socket) => {
    sockets.add(socket);
    let recipient = "";
    let inLetter = false;
    let text = "";
    socket.on("error", () => {});
    socket.on("close", () => {
      sockets.delete(socket);
      held.delete(socket);
    });
    const answer = (line: string): string => {
      if (/^(EHLO|HELO)/i.test(line)) return "250 sink";
      if (/^RCPT TO/i.test(line)) recipient = /<(.*)>/.exec(line)?.[1] ?? line;
      if (/^QUIT/i.test(line)) return "221 bye";
      inLetter = /^DATA/i.test(line);
      return inLetter ? "354 go on" : "250 well";
    };
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      for (let end = text.indexOf("\r\n"); end >= 0; end = text.indexOf("\r\n")) {
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        if (!inLetter) socket.write(`${answer(line)}\r\n`);
        else if (line === ".") {
          inLetter = false;
          if (stalled) held.add(socket);
          else {
            taken.push(recipient);
            socket.write("250 taken\r\n");
          }
        }
      }
    });
    socket.write("220 sink\r\n");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || !address) throw new Error("the mail server has no port");
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    taken,
    waiting: () => held.size,
    stall(value) {
      stalled = value;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
