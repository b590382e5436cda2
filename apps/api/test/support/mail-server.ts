import { SMTPServer, type SMTPServerOptions } from "smtp-server";

/** A mail as the server took it. */
export type TakenMail = {
  to: string[];
  from: string;
  /** Head and body as they came. */
  raw: string;
  encrypted: boolean;
  user: string | undefined;
};

export type MailServer = {
  port: number;
  taken: TakenMail[];
  /** Connections so far. */
  readonly connections: number;
  /** What the next mails are answered instead of 250, in their order; `close` breaks the connection off. */
  refuseNext(...answers: (number | "close")[]): void;
  close(): Promise<void>;
};

/** A real mail server on loopback. @param port the one to listen on; left out: a free one. */
export async function startMailServer(options: SMTPServerOptions = {}, port = 0): Promise<MailServer> {
  const taken: TakenMail[] = [];
  const refusals: (number | "close")[] = [];
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
      const refusal = refusals.shift();
      if (refusal === undefined) return done();
      // Breaks every connection off: a test has one at a time.
      if (refusal === "close") for (const one of server.connections) one.close();
      else done(Object.assign(new Error("not now"), { responseCode: refusal }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { rcptTo, mailFrom } = session.envelope;
        taken.push({
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
  // Clients that refuse its certificate end in the middle of a handshake.
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
    taken,
    get connections() {
      return connections;
    },
    refuseNext: (...answers) => void refusals.push(...answers),
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
