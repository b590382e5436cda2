import { REPLAY_HEADER, signWebhook } from "@tillgate/webhooks";

/** The headers of a delivery: what it is, who sends it, and its signatures. */
export const deliveryHeaders = ({
  replayId,
  ...signed
}: Parameters<typeof signWebhook>[0] & {
  /** The replay that sends it. */
  replayId?: string | null;
}): Record<string, string> => ({
  "content-type": "application/json",
  "user-agent": "Tillgate-Webhooks/1",
  ...signWebhook(signed),
  ...(replayId ? { [REPLAY_HEADER]: replayId } : {}),
});
