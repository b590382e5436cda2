import { createLimitedServer, listen } from "@tillgate/service";
import express from "express";
import { expect, it, onTestFinished } from "vitest";

it("createLimitedServer creates messages with the application's prototypes, so that Express need not change them", async () => {
  const app = express();
  app.get("/", (request, response) => response.json({ asked: request.get("host") }));
  const server = createLimitedServer(app);
  const prototypes: unknown[] = [];
  server.prependListener("request", (request, response) =>
    prototypes.push(Object.getPrototypeOf(request), Object.getPrototypeOf(response)),
  );
  const serving = await listen(server, { host: "127.0.0.1", port: 0 });
  onTestFinished(() => serving.close(0));

  const response = await fetch(`http://127.0.0.1:${serving.port}/`);

  expect(await response.json()).toEqual({ asked: `127.0.0.1:${serving.port}` });
  expect(prototypes[0]).toBe(app.request);
  expect(prototypes[1]).toBe(app.response);
});
