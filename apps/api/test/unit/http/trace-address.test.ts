import { expect, it } from "vitest";
import { toTraceUrl } from "../../../src/http/console/shapes.js";

const page = "https://traces.example/trace/{trace_id}";
const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

it("toTraceUrl inserts the trace ID, and returns null without a traceparent or a configured trace page", () => {
  expect(toTraceUrl(page, traceparent)).toBe("https://traces.example/trace/4bf92f3577b34da6a3ce929d0e0e4736");
  expect(toTraceUrl(page, null)).toBe(null);
  expect(toTraceUrl(undefined, traceparent)).toBe(null);
});
