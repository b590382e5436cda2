import { once } from "node:events";
import net from "node:net";
import { expect, it } from "vitest";
import { openLink } from "../../src/link.js";

it("a cut network link drops packets in both directions, and its connections are closed when it is restored", async () => {
  const received: string[] = [];
  const target = net.createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", (data) => {
      received.push(data.toString());
      socket.write(`answer to ${data}`);
    });
  });
  target.listen(0, "127.0.0.1");
  await once(target, "listening");
  const bound = target.address();
  if (bound === null || typeof bound === "string") throw new Error("no port");
  const link = await openLink(bound.port);
  const call = () => net.connect(link.port, "127.0.0.1").on("error", () => undefined);
  const client = call();
  const responses: string[] = [];
  client.on("data", (data) => responses.push(data.toString()));
  client.write("one");
  await once(client, "data");
  link.cut();
  client.write("two");
  const late = call();
  await once(late, "connect");
  late.write("three");
  // Bytes sent after the cut are accepted and dropped; both connections are closed on restore.
  const ended = Promise.all(
    [client, late].map((one) => new Promise((resolve) => one.once("close", resolve))),
  );
  link.restore();
  await ended;
  const again = call();
  again.write("four");
  await once(again, "data");
  expect(responses).toEqual(["answer to one"]);
  expect(received).toEqual(["one", "four"]);
  again.destroy();
  link.close();
  target.close();
});
