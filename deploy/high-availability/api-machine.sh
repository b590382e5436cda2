#!/bin/sh -eu
# Installs HAProxy and pgbouncer on a machine of the api, as root. Run it again after a change of cluster.env.
cd "$(dirname "$0")"
umask 022
set -a; . ./cluster.env; . ./secrets.env; set +a

if ! [ -e /usr/sbin/pgbouncer ]; then
  apt-get install -y chrony haproxy pgbouncer prometheus-pgbouncer-exporter gettext-base curl
fi
install -D -m 444 ca.crt "$CLUSTER_CA"
envsubst < haproxy.cfg | install -m 644 /dev/stdin /etc/haproxy/haproxy.cfg
envsubst < pgbouncer.ini | install -m 640 -o postgres -g postgres /dev/stdin /etc/pgbouncer/pgbouncer.ini
# The passwords of pgbouncer's clients.
printf '"%s" "%s"\n' tillgate_api "$API_PASSWORD" pgbouncer_stats "$STATISTICS_PASSWORD" | install -m 640 -o postgres -g postgres /dev/stdin "$PGBOUNCER_USERS"
# The exporter reads pgbouncer's statistics.
printf '127.0.0.1:6432:pgbouncer:pgbouncer_stats:%s\n' "$STATISTICS_PASSWORD" | install -m 600 -o postgres -g postgres /dev/stdin /var/lib/postgresql/.pgpass
printf '%s\n' 'pgbouncer-user = pgbouncer_stats' 'pgbouncer-host = 127.0.0.1' "host = $ADDRESS" > /etc/prometheus-pgbouncer-exporter.conf
# The services listen on this machine's private address, for the load balancers.
install -d /etc/systemd/system/tillgate@.service.d
printf '%s\n' '[Service]' "Environment=HOST=$ADDRESS" > /etc/systemd/system/tillgate@.service.d/address.conf
systemctl daemon-reload
systemctl restart haproxy pgbouncer prometheus-pgbouncer-exporter
