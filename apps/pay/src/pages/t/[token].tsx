import type { CheckoutTill } from "@tillgate/contract";
import { setAnswerHeaders } from "@tillgate/service/web/headers";
import type { GetServerSideProps } from "next";
import type { ReactNode } from "react";
import { config as settings } from "#config.ts";
import { type Spoken, spokenBy } from "#http/page-locale.ts";
import { identify, paymentToken } from "#http/shopper.ts";
import { ApiUnreachable, readTill } from "#internal-api/checkout.ts";
import { RETRY_SECONDS, TILL_SECONDS } from "#limits.ts";
import { logError } from "#log.ts";
import { Frame } from "#views/frame.tsx";
import { Message } from "#views/message.tsx";
import { NotFound } from "#views/screen-view.tsx";
import { WalletMark } from "#views/sign.tsx";
import { Speaking, useAddress, useWords } from "#views/words.tsx";

export const config = { unstable_runtimeJS: false };

type Props = Spoken & {
  /** Null: unknown code. */
  till: CheckoutTill | null;
  /** The API is unreachable. */
  away: boolean;
};

/** Page of a till's printed code: redirects to the open order, or waits for one. */
export default function TillPage({ till, away, ...spoken }: Props): ReactNode {
  return (
    <Speaking {...spoken}>
      {away ? <Away /> : till === null ? <NotFound /> : <Waiting till={till} />}
    </Speaking>
  );
}

/** Only without scripts; the script polls. */
const again = { seconds: TILL_SECONDS, url: null, scripted: true };

function Waiting({ till }: { till: CheckoutTill }): ReactNode {
  const { texts } = useWords();
  return (
    <Frame title={till.merchant_name} sandbox={till.mode === "sandbox"} refresh={again} script>
      <main className="page settled" data-till="">
        <div className="card message">
          <WalletMark />
          <h1 data-testid="till-merchant">{till.merchant_name}</h1>
          <p>{till.name}</p>
          <p data-testid="till-waits">{texts.till.waits}</p>
        </div>
      </main>
    </Frame>
  );
}

function Away(): ReactNode {
  const { texts } = useWords();
  const address = useAddress();
  const { title, explanation } = texts.unavailable;
  return (
    <Frame title={title} refresh={again} script>
      <Message title={title} explanation={explanation} status="UNAVAILABLE" waitsFor={address ?? undefined} />
    </Frame>
  );
}

export const getServerSideProps: GetServerSideProps<Props> = async ({
  req,
  res,
  params,
  resolvedUrl: address,
}) => {
  setAnswerHeaders(res, settings());
  const spoken = spokenBy({ req, res, address }, settings(), null);
  const token = paymentToken(params?.token);
  try {
    const till = token === null ? null : await readTill(token, identify(req, settings()).caller);
    if (till?.payment_url) return { redirect: { destination: till.payment_url, statusCode: 303 } };
    if (till === null) res.statusCode = 404;
    return { props: { ...spoken, till, away: false } };
  } catch (error) {
    if (!(error instanceof ApiUnreachable)) throw error;
    logError("A till could not be read", { fault: error.message });
    res.statusCode = 503;
    res.setHeader("Retry-After", String(RETRY_SECONDS));
    return { props: { ...spoken, till: null, away: true } };
  }
};
