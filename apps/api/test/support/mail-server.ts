import { SMTPServer, type SMTPServerOptions } from "smtp-server";

export type ReceivedMail = {
  to: string[];
  from: string;
  raw: string;
  encrypted: boolean;
  user: string | undefined;
};

export type MailServer = {
  port: number;
  received: ReceivedMail[];
  readonly connections: number;
  /** Sets the SMTP reply codes for the next recipients, in order. `close` disconnects the client instead. */
  rejectNext(...responses: (number | "close")[]): void;
  close(): Promise<void>;
};

/** Starts an SMTP server on loopback. @param port default: a free port */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  const rejections: (number | "close")[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disableReverseLookup: true,
    closeTimeout: 100,
    disabledCommands: ["STARTTLS"],
    onConnect(_session, done) {
      connections += 1;
      done();
    },
    onAuth({ username, password }, _session, done) {
      if (password === "right p@ss") return done(null, { user: username });
      done(Object.assign(new Error("no"), { responseCode: 535 }));
    },
    onRcptTo(_address, _session, done) {
      const rejection = rejections.shift();
      if (rejection === undefined) return done();
      // Closes all connections, because a test has only one at a time.
      if (rejection === "close") for (const one of server.connections) one.close();
      else done(Object.assign(new Error("not now"), { responseCode: rejection }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { rcptTo, mailFrom } = session.envelope;
        received.push({
          to: rcptTo.map(({ address }) => address),
          from: mailFrom ? mailFrom.address : "",
          raw: Buffer.concat(parts).toString(),
          encrypted: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        done();
      });
    },
    ...options,
  });
  // Clients that reject the certificate abort the handshake.
  server.on("error", () => undefined);
  const bound = await new Promise<number>((resolve) => {
    const listening = server.listen(port, "127.0.0.1", () => {
      const address = listening.address();
      if (address === null || typeof address === "string") throw new Error("the mail server has no port");
      resolve(address.port);
    });
  });
  return {
    port: bound,
    received,
    get connections() {
      return connections;
    },
    rejectNext: (...responses) => void rejections.push(...responses),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
