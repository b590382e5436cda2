import { type ConsolePaymentLink, consolePaymentLinkResponseSchema } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { LinkAmount } from "#views/link-uses.tsx";
import { Card, Slashes } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

export default function PrintLinkPage({ link }: { link: ConsolePaymentLink }): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const picture = qrSvg(link.url, { title: t("link.codeOf", { name: link.description }) });
  return (
    <Frame
      title={link.description}
      back={{
        href: to("links", link.link_id),
        text: link.description,
      }}
      narrow
    >
      <Card>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which escapes its only text. */}
        <div className="qr-picture" dangerouslySetInnerHTML={{ __html: picture }} />
        <p className="print-line">{t("link.printed", { merchant: merchant.name ?? "" })}</p>
        <p className="print-line">{link.amount === null ? link.currency : <LinkAmount link={link} />}</p>
        <p className="soft">
          <Slashes text={link.url} />
        </p>
        <button type="button" className="button main with-script no-print" data-print="">
          {t("till.print")}
        </button>
      </Card>
    </Frame>
  );
}

export const getServerSideProps = consolePage<{ link: ConsolePaymentLink }>({
  load: async ({ read, apiPath, part }) => {
    const { link } = await read(apiPath("links", part("link")), consolePaymentLinkResponseSchema);
    return { link };
  },
});
