import type { CheckoutTill } from "@tillgate/contract";
import { setResponseHeaders } from "@tillgate/service/web/headers";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { type PageLocale, readPageLocale } from "#http/page-locale.ts";
import { identify, parsePaymentToken } from "#http/shopper.ts";
import { ApiUnreachable, readTill } from "#internal-api/checkout.ts";
import { RETRY_SECONDS, TILL_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { Frame } from "#views/frame.tsx";
import { TextsProvider, useAddress, useLocalization } from "#views/localization.tsx";
import { MessagePage } from "#views/message.tsx";
import { NotFound } from "#views/screen-view.tsx";
import { WalletMark } from "#views/status-icon.tsx";

export const config = { unstable_runtimeJS: false };

type Props = PageLocale & {
  /** The till to which the printed code belongs; null if the code is unknown. */
  till: CheckoutTill | null;
  away: boolean;
};

/** Renders the page of a till's printed code, which redirects to the open order or waits for one. */
export default function TillPage({ till, away: unavailable, ...locale }: Props): ReactNode {
  return (
    <TextsProvider {...locale}>
      {unavailable ? <UnavailablePage /> : till === null ? <NotFound /> : <WaitingPage till={till} />}
    </TextsProvider>
  );
}

/** Refresh of the page without scripts; otherwise the script polls. */
const refresh = { seconds: TILL_SECONDS, url: null, scripted: true };

function WaitingPage({ till }: { till: CheckoutTill }): ReactNode {
  const { texts } = useLocalization();
  return (
    <Frame title={till.merchant_name} sandbox={till.mode === "sandbox"} refresh={refresh} script>
      <main className="page settled" data-till="">
        <div className="card message">
          <WalletMark />
          <h1 data-testid="till-merchant">{till.merchant_name}</h1>
          <p>{till.name}</p>
          <p data-testid="till-waits">{texts.till.waiting}</p>
        </div>
      </main>
    </Frame>
  );
}

function UnavailablePage(): ReactNode {
  const { texts } = useLocalization();
  const address = useAddress();
  return (
    <MessagePage
      refresh={refresh}
      script
      title={texts.unavailable.title}
      explanation={texts.link.away}
      status="UNAVAILABLE"
      pollAddress={address ?? undefined}
    />
  );
}

export const getServerSideProps: GetServerSideProps<Props> = async ({
  req,
  res,
  params,
  resolvedUrl: address,
}) => {
  setResponseHeaders(res, settings());
  const locale = readPageLocale({ req, res, address }, settings(), null);
  const token = parsePaymentToken(params?.token);
  try {
    const till = token === null ? null : await readTill(token, identify(req, settings()).caller);
    if (till?.payment_url) return { redirect: { destination: till.payment_url, statusCode: 303 } };
    if (till === null) res.statusCode = 404;
    return { props: { ...locale, till, away: false } };
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("Failed to read a till", { reason: error.message });
    res.statusCode = 503;
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return { props: { ...locale, till: null, away: true } };
  }
};
