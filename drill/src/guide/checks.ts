import { errorReason } from "@tillgate/service";
import type { Guide } from "./guide.js";

type Check = { name: string; where: string; script: string };

const REJECTED = (script: string): string => `if ${script}; then echo "was accepted" >&2; exit 1; fi`;
const CA = "/etc/patroni/tls/ca.crt";
/** Files with passwords or keys, with their owner and mode. */
const PRIVATE = {
  "/etc/etcd/tls/server.key": "etcd 400",
  "/etc/etcd/etcd.conf.yml": "root 640",
  "/etc/patroni/tls/server.key": "postgres 400",
  "/etc/patroni/config.yml": "root 640",
  "/etc/pgbackrest.conf": "root 640",
};
const connectAs = (parts: string): string =>
  `runuser -u postgres -- psql -w -tAc 'SELECT 1' "host=10.0.0.1 ${parts}" 2>&1`;

const CHECKS: readonly Check[] = [
  {
    name: "etcd rejects clients without a certificate of the cluster",
    where: "one",
    script: REJECTED(`curl -sf --cacert ${CA} https://10.0.0.1:2379/v2/keys/`),
  },
  {
    name: "etcd accepts clients with a certificate of the cluster",
    where: "one",
    script: `curl -sf --cacert ${CA} --cert /etc/etcd/tls/server.crt --key /etc/etcd/tls/server.key https://10.0.0.1:2379/v2/keys/`,
  },
  {
    name: "Patroni rejects a restart without its password",
    where: "one",
    script: `[ "$(curl -s --cacert ${CA} -o /dev/null -w '%{http_code}' -X POST https://10.0.0.1:8008/restart)" = 401 ]`,
  },
  {
    name: "PostgreSQL accepts no connection without TLS",
    where: "one",
    script: `. /root/cluster/secrets.env; export PGPASSWORD=$SUPERUSER_PASSWORD\n${REJECTED(connectAs("user=postgres sslmode=disable"))}\n${connectAs("user=postgres sslmode=require")}`,
  },
  {
    name: "PostgreSQL accepts the API's role from machines of the API only",
    where: "two",
    script: `. /root/cluster/secrets.env; export PGPASSWORD=$API_PASSWORD\n${REJECTED(connectAs("user=tillgate_api dbname=tillgate sslmode=require"))}`,
  },
  ...["one", "two", "three"].map((where) => ({
    name: "only their service can read keys and passwords",
    where,
    script: Object.entries(PRIVATE)
      .map(([file, mode]) => `[ "$(stat -c '%U %a' ${file})" = "${mode}" ] || { stat ${file}; exit 1; }`)
      .join("\n"),
  })),
  {
    name: "the nightly backup and restore drill succeed on the leader",
    where: "leader",
    script:
      "grep -v '^#' /etc/cron.d/tillgate-backup | cut -d' ' -f7- > /tmp/nightly; runuser -u postgres -- sh -e /tmp/nightly; runuser -u postgres -- pgbackrest --stanza=tillgate info | grep 'status: ok'",
  },
  ...["api-one", "api-two"].map((where) => ({
    name: "HAProxy and pgbouncer run",
    where,
    script: "systemctl is-active haproxy pgbouncer",
  })),
];

export async function checkCluster(guide: Guide): Promise<void> {
  for (const { name, where, script } of CHECKS) {
    await guide.check(where, script).catch((error: unknown) => {
      throw new Error(`Check failed: ${name}. ${errorReason(error)}`);
    });
    console.log(`✓ ${name} (${where})`);
  }
}
