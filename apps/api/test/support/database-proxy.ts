import net from "node:net";

/** Stands between a client and PostgreSQL, and fails in the ways that a database does. */
export type DatabaseProxy = {
  url: string;
  /** How many connections it has taken. */
  readonly connections: number;
  /** Open connections die without a word; new ones work. */
  freezeOpen(): void;
  /** As a stopped process: connections open, and nothing comes. Until `thaw`, when what was held back goes on. */
  freeze(): void;
  thaw(): void;
  /** As a server that is gone: connections break, new ones are refused. Until `comeBack`. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  /** Answers every new connection with an error of this SQLSTATE, as a server that is starting does. Undefined: no longer. */
  answer(sqlState: string | undefined): void;
  close(): Promise<void>;
};

type Line = { socket: net.Socket; other: net.Socket; dead: boolean; held: Buffer[] };

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<Line>();
  let connections = 0;
  let frozen = false;
  let sqlState: string | undefined;
  const server = net.createServer((client) => {
    connections += 1;
    client.on("error", () => {});
    if (sqlState !== undefined) {
      const state = sqlState;
      client.once("data", () => client.end(fatal(state)));
      return;
    }
    const upstream = net.connect(Number(target.port), target.hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      const line: Line = { socket, other, dead: false, held: [] };
      lines.add(line);
      socket.on("error", () => {});
      socket.on("data", (data) => {
        if (frozen) line.held.push(data);
        else if (!line.dead) other.write(data);
      });
      socket.on("close", () => {
        lines.delete(line);
        if (!line.dead && !frozen) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the proxy has no port");
  const { port } = bound;
  const url = new URL(databaseUrl);
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const breakAll = (): void => {
    for (const { socket, other } of [...lines]) {
      socket.destroy();
      other.destroy();
    }
  };
  const endServer = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    url: url.href,
    get connections() {
      return connections;
    },
    freezeOpen() {
      for (const line of lines) line.dead = true;
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      for (const line of lines) for (const data of line.held.splice(0)) line.other.write(data);
    },
    async goAway() {
      const ended = endServer();
      breakAll();
      await ended;
    },
    comeBack: () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve)),
    answer(state) {
      sqlState = state;
    },
    async close() {
      const ended = server.listening ? endServer() : undefined;
      breakAll();
      await ended;
    },
  };
}

/** PostgreSQL's ErrorResponse with severity FATAL. */
function fatal(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mthe database system is not ready\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
