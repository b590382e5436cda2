import { beforeAll, describe, expect, it } from "vitest";
import {
  addApiToken,
  addPartner,
  addRecipient,
  COMPLETED,
  lookUpRecipient,
  type Partner,
  type PartnerApi,
  partnerApi,
  readPayout,
} from "../../support/partner.js";
import { errorOf } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

let partner: Partner;
let api: PartnerApi;

const { sandbox, server } = await createTestApi();
beforeAll(async () => {
  partner = await addPartner(sandbox, { wallets: { XAF: 500_000n, EUR: 10_000n, KWD: 1n, JPY: 0n } });
  api = partnerApi(server, partner.token);
});

describe("GET /payout/{id}", () => {
  it("returns a payout as created, with the fourteen keys of the wire format and metadata, and 404 to other merchants and modes", async () => {
    const created = readPayout(
      await api.post("/payout", {
        lookup_token: await lookUpRecipient(api, await addRecipient(sandbox)),
        amount: 10,
        sender_currency: "EUR",
        receiver_currency: "EUR",
        reference: "r",
        idempotency_key: "k",
      }),
      COMPLETED,
    );
    const read = readPayout(await api.get(`/payout/${created.payout_id}`), "Payout details.");
    expect(read).toEqual(created);
    expect(Object.keys(read)).toHaveLength(15);
    const other = partnerApi(server, sandbox.access.merchant.api_token);
    const live = partnerApi(server, await addApiToken(sandbox, partner.merchantId, "live"));
    for (const stranger of [other, live])
      expect(errorOf(await stranger.get(`/payout/${created.payout_id}`))).toEqual({
        status: 404,
        texts: ["Payout not found"],
      });
    expect(errorOf(await api.get(`/payout/${created.payout_id.toLowerCase()}`)).status).toBe(404);
  });

  it.each(["POAAAAAAAA", "x", "%00", "é", "a".repeat(3_000), "' OR 1=1 --"])(
    "returns 404 for %j",
    async (id) => {
      expect(errorOf(await api.get(`/payout/${encodeURIComponent(id)}`))).toEqual({
        status: 404,
        texts: ["Payout not found"],
      });
    },
  );
});
