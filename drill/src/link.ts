import net from "node:net";

const HOST = "127.0.0.1";

/** A TCP proxy. While it is cut, connections stay open, and their data is lost. */
export type Link = {
  port: number;
  cut(): void;
  restore(): void;
  /** Redirects to another port, and resets open connections. */
  leadTo(port: number): void;
  close(): void;
};

export async function openLink(toPort: number): Promise<Link> {
  let targetPort = toPort;
  const ends = new Set<net.Socket>();
  let isCut = false;
  const server = net.createServer((near) => {
    const far = net.connect(targetPort, HOST);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      ends.add(one);
      // An error on one side closes the other.
      one.on("error", () => other.destroy());
      one.on("data", (data) => {
        if (!isCut && !other.write(data)) one.pause();
      });
      one.on("drain", () => other.resume());
      one.on("close", () => {
        ends.delete(one);
        if (!isCut) other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, HOST, resolve));
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("the link is not listening on a TCP port");
  const breakAll = (): void => {
    for (const end of [...ends]) end.destroy();
  };
  return {
    port: bound.port,
    cut() {
      isCut = true;
    },
    restore() {
      isCut = false;
      // Bytes sent while the link was cut are lost, so open connections cannot continue.
      breakAll();
    },
    leadTo(port) {
      targetPort = port;
      breakAll();
    },
    close() {
      server.close();
      breakAll();
    },
  };
}
