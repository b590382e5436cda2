import { deliveryListResponseSchema, hasRight, type ReceiverDelivery } from "@tillgate/contract";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { resendDefaults, resendRange } from "#server/webhooks.ts";
import { LiveTools } from "#views/following.tsx";
import { Frame } from "#views/frame.tsx";
import { Card, Pages } from "#views/parts.tsx";
import { type Resend, ResendRange } from "#views/replays.tsx";
import { useMerchantPage } from "#views/use-page.tsx";
import { DeliveryTable } from "#views/webhooks.tsx";

export const config = { unstable_runtimeJS: false };

type Props = {
  deliveries: ReceiverDelivery[];
  next: string | null;
  failed: boolean;
  /** Whether this is the newest page, which can be followed live. */
  newest: boolean;
  resend: Resend;
};

/** Renders all deliveries, to endpoints and to the orders' callback URLs. */
export default function DeliveriesPage(props: Props): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const { deliveries, next, failed, newest, resend } = props;
  const basePath = to("webhooks", "deliveries");
  return (
    <Frame
      title={t("webhooks.deliveries")}
      back={{ href: to("webhooks"), text: t("nav.webhooks") }}
      tools={
        <nav className="modes" aria-label={t("webhooks.deliveries")}>
          <a href={basePath} aria-current={failed ? undefined : "true"}>
            {t("list.all")}
          </a>
          <a href={`${basePath}?status=failed`} aria-current={failed ? "true" : undefined}>
            {t("webhooks.onlyFailed")}
          </a>
        </nav>
      }
    >
      <div className="tools">
        {newest ? <LiveTools /> : null}
        {hasRight(merchant.role, "webhooks.resend") ? <ResendRange resend={resend} /> : null}
      </div>
      <div data-live="">
        <Card>
          <DeliveryTable deliveries={deliveries} addresses />
        </Card>
        <Pages next={next} />
      </div>
    </Frame>
  );
}

export const getServerSideProps = consolePage<Props>({
  load: async (request) => {
    const { read, apiPath, query } = request;
    const [status, before] = [query("status") === "failed" ? "failed" : undefined, query("before")];
    const filters = { status, before };
    const { deliveries, next } = await read(apiPath("deliveries"), deliveryListResponseSchema, filters);
    const [failed, newest] = [status === "failed", before === undefined];
    return { deliveries, next, failed, newest, resend: resendDefaults(request) };
  },
  actions: {
    resend: resendRange({
      path: ({ apiPath }) => apiPath("resend"),
      page: ({ consolePath }) => consolePath("webhooks", "deliveries"),
    }),
  },
});
