import { type ConsoleTill, consoleTillResponseSchema } from "@tillgate/contract";
import { qrSvg } from "@tillgate/qr";
import type { ReactNode } from "react";
import { consolePage } from "#server/console-page.ts";
import { Frame } from "#views/frame.tsx";
import { Card, Code } from "#views/parts.tsx";
import { useMerchantPage } from "#views/use-page.tsx";

export const config = { unstable_runtimeJS: false };

/** Renders the printable QR code for the counter. The code opens the order in progress at this till. */
export default function TillCodePage({ till }: { till: ConsoleTill }): ReactNode {
  const { t, merchant, to } = useMerchantPage();
  const picture = qrSvg(till.code_url, { title: t("till.codeOf", { name: till.name }) });
  return (
    <Frame
      title={t("till.codeOf", { name: till.name })}
      back={{ href: to("tills"), text: t("nav.tills") }}
      narrow
    >
      <Card>
        <p className="no-print">{t("till.codeText")}</p>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: SVG from @tillgate/qr, which escapes its only text. */}
        <div className="qr-picture" data-testid="till-code" dangerouslySetInnerHTML={{ __html: picture }} />
        <p className="print-line">{t("till.codePrinted", { merchant: merchant.name ?? "" })}</p>
        <Code id="till-address" text={till.code_url} />
        <button type="button" className="button main with-script no-print" data-print="">
          {t("till.print")}
        </button>
      </Card>
    </Frame>
  );
}

export const getServerSideProps = consolePage<{ till: ConsoleTill }>({
  load: async ({ read, apiPath, part }) => {
    const { till } = await read(apiPath("tills", part("till")), consoleTillResponseSchema);
    return { till };
  },
});
