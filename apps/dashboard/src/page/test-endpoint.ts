import { receiverTestAnswerSchema } from "@tillgate/contract";
import { change } from "../edge/console-edge";
import type { Notice } from "./page";
import type { PageRequest } from "./request";

/** Sends an endpoint a test event. @returns whether it arrived, and what to say of it. */
export async function testEndpoint(
  { caller, place }: PageRequest,
  receiverId: string,
): Promise<{ delivered: boolean; notice: Notice }> {
  const path = place("receivers", receiverId, "test");
  const test = await change(caller, path, receiverTestAnswerSchema);
  const { delivered, http_status, latency_ms, error } = test;
  const values = { status: http_status ?? 0, ms: latency_ms, error: error ?? "" };
  return {
    delivered,
    notice: delivered
      ? { tone: "good", text: "webhooks.testArrived", values }
      : { tone: "bad", text: "webhooks.testFailed", values },
  };
}
