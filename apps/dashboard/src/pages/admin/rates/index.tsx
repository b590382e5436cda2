import { consolePage } from "#server/console-page.ts";

export const config = { unstable_runtimeJS: false };

export default function RatesPage(): null {
  return null;
}

export const getServerSideProps = consolePage({
  load: async () => ({}),
  redirectTo: () => "/admin/rates/sandbox",
});
