#!/bin/sh -eu
# Makes this a database machine, as root: packages, certificates, settings. Run it again after a change of cluster.env; it starts and stops nothing.
cd "$(dirname "$0")"
umask 022
set -a; . ./cluster.env; . ./secrets.env; set +a

if ! [ -e /etc/patroni/tls ]; then
  apt-get install -y chrony patroni etcd-server etcd-client postgresql-15 pgbackrest gettext-base curl
  # Patroni starts PostgreSQL, and etcd needs its settings first.
  systemctl disable --now postgresql etcd patroni
  rm -rf /var/lib/etcd/default
fi
install -d -m 750 -o root -g etcd /etc/etcd
install -d -m 700 -o etcd -g etcd "$ETCD_TLS" "$ETCD_DATA"
install -d -m 750 -o root -g postgres /etc/patroni
install -d -m 700 -o postgres -g postgres "$PATRONI_TLS" "$BACKUP_LOG"
for owner in etcd:"$ETCD_TLS" postgres:"$PATRONI_TLS"; do
  install -m 400 -o "${owner%%:*}" "$NAME.key" "${owner#*:}/server.key"
  install -m 444 "$NAME.crt" "${owner#*:}/server.crt"
  install -m 444 ca.crt "${owner#*:}/ca.crt"
done
envsubst < etcd.conf.yml | install -m 640 -o root -g etcd /dev/stdin /etc/etcd/etcd.conf.yml
envsubst < patroni.yml | install -m 640 -o root -g postgres /dev/stdin /etc/patroni/config.yml
envsubst < pgbackrest.conf | install -m 640 -o root -g postgres /dev/stdin /etc/pgbackrest.conf
envsubst < backup.cron | install -m 644 /dev/stdin /etc/cron.d/tillgate-backup
echo 'DAEMON_ARGS=--config-file=/etc/etcd/etcd.conf.yml' > /etc/default/etcd
systemctl --quiet enable etcd patroni
