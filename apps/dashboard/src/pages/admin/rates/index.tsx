import { consolePage } from "#server/console-page.ts";

export const config = { unstable_runtimeJS: false };

/** Redirects to the rates of the sandbox; each mode has its own page. */
export default function RatesPage(): null {
  return null;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  redirectTo: () => "/admin/rates/sandbox",
});
