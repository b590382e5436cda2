import net from "node:net";

export type DatabaseProxy = {
  url: string;
  readonly connections: number;
  /** Drops all further traffic of open connections without closing them; new connections work. */
  freezeConnections(): void;
  /** Holds back all traffic, like a stopped server process, until `thaw`. */
  freeze(): void;
  thaw(): void;
  /** Closes all connections and refuses new ones until `restart`. */
  stop(): Promise<void>;
  restart(): Promise<void>;
  /** Rejects new connections with this SQLSTATE, like a starting server; undefined accepts them again. */
  rejectWith(sqlState: string | undefined): void;
  close(): Promise<void>;
};

type Pipe = { socket: net.Socket; other: net.Socket; dead: boolean; held: Buffer[] };

export async function startDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = new URL(databaseUrl);
  const lines = new Set<Pipe>();
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
      const line: Pipe = { socket, other, dead: false, held: [] };
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
    freezeConnections() {
      for (const line of lines) line.dead = true;
    },
    freeze() {
      frozen = true;
    },
    thaw() {
      frozen = false;
      for (const line of lines) for (const data of line.held.splice(0)) line.other.write(data);
    },
    async stop() {
      const ended = endServer();
      breakAll();
      await ended;
    },
    restart: () => new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve)),
    rejectWith(state) {
      sqlState = state;
    },
    async close() {
      const ended = server.listening ? endServer() : undefined;
      breakAll();
      await ended;
    },
  };
}

/** Builds a PostgreSQL ErrorResponse message with severity FATAL. */
function fatal(sqlState: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0Mthe database system is not ready\0\0`);
  const head = Buffer.alloc(5);
  head.write("E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
