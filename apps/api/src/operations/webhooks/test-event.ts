import type { TestEvent } from "@tillgate/contract";

export const TEST_EVENT = "tillgate.test";

/** The body of a test event, as the text that is sent. */
export function testEventBody(id: string, now: Date): string {
  const event: TestEvent = {
    id,
    event: TEST_EVENT,
    timestamp: `${now.toISOString().slice(0, 19)}+00:00`,
    data: { message: "A test of Tillgate. Verify it, answer 2xx and change nothing." },
  };
  return JSON.stringify(event);
}
