import { describe, expect, it } from "vitest";
import { createPaidOrder, REFUND_CREATED, readRefund } from "../../support/orders.js";
import { addLiveCredential } from "../../support/parties.js";
import { errorOf, payApi } from "../../support/requests.js";
import { createTestApi } from "../../support/test-api.js";

const { sandbox, server, api } = await createTestApi();

describe("GET /refunds/{refund_id}", () => {
  it("returns a refund as created", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const refund = readRefund(
      await api.post("/refunds", { transaction_id: trxId, reason: "ü" }),
      REFUND_CREATED,
    );
    expect(readRefund(await api.get(`/refunds/${refund.refund_id}`), "Refund details retrieved")).toEqual(
      refund,
    );
  });

  it.each(["RF-20261121-AAAAAA", "%00", "x".repeat(3000), "TRX-1"])("returns 404 for %s", async (id) => {
    expect(errorOf(await api.get(`/refunds/${id}`))).toEqual({ status: 404, texts: ["Refund not found"] });
  });

  it("returns 404 for a refund of another merchant or mode", async () => {
    const { trxId } = await createPaidOrder(server, api);
    const { refund_id } = readRefund(await api.post("/refunds", { transaction_id: trxId }), REFUND_CREATED);
    const other = payApi(server, sandbox.access.other_merchant);
    const live = payApi(server, await addLiveCredential(sandbox, sandbox.access.merchant.client_id), "live");
    for (const stranger of [other, live])
      expect(errorOf(await stranger.get(`/refunds/${refund_id}`))).toEqual({
        status: 404,
        texts: ["Refund not found"],
      });
    expect(errorOf(await api.get(`/refunds/${refund_id.toLowerCase()}`)).status).toBe(404);
  });
});
