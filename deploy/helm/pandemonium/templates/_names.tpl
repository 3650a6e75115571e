{{/* Names and labels. "pandemonium.of" takes (dict "root" $ "name" "engine"). */}}
{{- define "pandemonium.fullname" -}}
{{- default .Release.Name .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- end }}

{{- define "pandemonium.of" -}}
{{ include "pandemonium.fullname" .root }}-{{ .name }}
{{- end }}

{{- define "pandemonium.selector" -}}
app.kubernetes.io/name: pandemonium
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "pandemonium.labels" -}}
{{ include "pandemonium.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "pandemonium.metadata" -}}
name: {{ include "pandemonium.of" . }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "pandemonium.labels" . | nindent 2 }}
{{- end }}

{{/* Services that are there, each once, as JSON. */}}
{{- define "pandemonium.services" -}}
{{- $found := list "engine" "gateway" "lobby" "scoring" }}
{{- if .Values.bots.enabled }}{{ $found = append $found "bots" }}{{ end }}
{{- if .Values.ops.enabled }}{{ $found = append $found "ops" }}{{ end }}
{{- toJson $found }}
{{- end }}

{{/* Ports as in services/<name>/settings.py; that of bots as in the image. */}}
{{- define "pandemonium.ports" -}}
engine: {serve: 7001, metrics: 9001}
gateway: {serve: 8080, metrics: 9080}
lobby: {serve: 7010, metrics: 9010}
scoring: {serve: 7020, metrics: 9020}
bots: {serve: 7030, metrics: 9030}
ops: {serve: 8090, metrics: 9040}
{{- end }}

{{/* All engines that there may ever be, by their stable names. */}}
{{- define "pandemonium.engines" -}}
{{- $engine := .Values.engine }}
{{- $most := ternary $engine.autoscaling.maxReplicas $engine.replicas $engine.autoscaling.enabled | int }}
{{- $name := include "pandemonium.of" (dict "root" . "name" "engine") }}
{{- $all := list }}
{{- range until $most }}{{ $all = append $all (printf "%s-%d.%s:7001" $name . $name) }}{{ end }}
{{- join "," $all }}
{{- end }}

{{- define "pandemonium.redisSecret" -}}
{{ .Values.redis.existingSecret | default (printf "%s-redis" (include "pandemonium.fullname" .)) }}
{{- end }}

{{- define "pandemonium.databaseSecret" -}}
{{ .Values.database.existingSecret | default (printf "%s-database" (include "pandemonium.fullname" .)) }}
{{- end }}

{{/* The Secret with a service's certificate; empty where calls among services are not encrypted. */}}
{{- define "pandemonium.certificate" -}}
{{ get .root.Values.tls.secrets .name | default .root.Values.tls.secret }}
{{- end }}

{{/* Where Redis is, with the names of the files for TLS. */}}
{{- define "pandemonium.redisUrl" -}}
{{- $tls := .Values.redis.tls }}
{{- $files := list }}
{{- if $tls.secret }}{{ $files = append $files "ssl_ca_certs=/run/secrets/redis-tls/ca.crt" }}{{ end }}
{{- if and $tls.secret $tls.clientCertificate }}
{{- $files = append $files "ssl_certfile=/run/secrets/redis-tls/tls.crt" }}
{{- $files = append $files "ssl_keyfile=/run/secrets/redis-tls/tls.key" }}
{{- end }}
{{- .Values.redis.url }}
{{- if $files }}{{ ternary "&" "?" (contains "?" .Values.redis.url) }}{{ join "&" $files }}{{ end }}
{{- end }}

{{/* What of a Secret is mounted for TLS. Takes one of the values `tls` of redis and database. */}}
{{- define "pandemonium.tlsItems" -}}
- {key: ca.crt, path: ca.crt}
{{- if .clientCertificate }}
- {key: tls.crt, path: tls.crt}
- {key: tls.key, path: tls.key}
{{- end }}
{{- end }}

{{/* Values that fit each other, or nothing is made. */}}
{{- define "pandemonium.stated" -}}
{{- if not (or .Values.redis.existingSecret .Values.redis.url) }}
{{- fail "say where Redis is: redis.existingSecret or redis.url" }}
{{- end }}
{{- if not (or .Values.database.existingSecret .Values.database.url) }}
{{- fail "say where the database is: database.existingSecret or database.url" }}
{{- end }}
{{- if and .Values.ops.enabled (not .Values.ops.accountsSecret) }}
{{- fail "the console lets nobody in without accounts: ops.accountsSecret" }}
{{- end }}
{{- if and .Values.ingress.enabled (not .Values.ingress.host) }}
{{- fail "an ingress needs a name: ingress.host" }}
{{- end }}
{{- $rate := float64 .Values.gateway.drainPerSecond }}
{{- if and $rate (gt (mulf 3 (float64 .Values.gateway.autoscaling.socketsPerPod)) (mulf $rate (float64 .Values.gateway.stopSeconds))) }}
{{- fail "gateway.autoscaling.socketsPerPod sockets can't be sent away at gateway.drainPerSecond in a third of gateway.stopSeconds" }}
{{- end }}
{{- range list "engine" "gateway" }}
{{- $scaling := (get $.Values .).autoscaling }}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) }}
{{- fail (printf "%s.autoscaling.minReplicas is more than maxReplicas" .) }}
{{- end }}
{{- end }}
{{- if or .Values.tls.secret .Values.tls.secrets }}
{{- range include "pandemonium.services" . | fromJsonArray }}
{{- if not (include "pandemonium.certificate" (dict "root" $ "name" .)) }}
{{- fail (printf "all services have certificates or none: tls.secrets.%s or tls.secret" .) }}
{{- end }}
{{- end }}
{{- end }}
{{- if and .Values.redis.tls.secret .Values.redis.url (not (hasPrefix "rediss" .Values.redis.url)) }}
{{- fail "redis.tls.secret is of no use: redis.url is not encrypted, it would begin with rediss" }}
{{- end }}
{{- range list "redis" "database" }}
{{- $tls := (get $.Values .).tls }}
{{- if and $tls.clientCertificate (not $tls.secret) }}
{{- fail (printf "%s.tls.clientCertificate needs %s.tls.secret" . .) }}
{{- end }}
{{- end }}
{{- if .Values.traces.share }}
{{- if regexMatch "^https?://(127\\.|localhost)" .Values.traces.endpoint }}
{{- fail "no collector listens inside a pod: traces.endpoint" }}
{{- end }}
{{- $port := regexFind "[0-9]+$" (trimSuffix "/" .Values.traces.endpoint) | int }}
{{- $ports := list }}
{{- range .Values.networkPolicy.traces.ports }}{{ $ports = append $ports (int .) }}{{ end }}
{{- if and .Values.networkPolicy.enabled (not (has $port $ports)) }}
{{- fail "the policies don't let traces through: networkPolicy.traces.ports lacks the port of traces.endpoint" }}
{{- end }}
{{- end }}
{{- if and .Values.serviceMonitor.enabled .Values.networkPolicy.enabled (not .Values.networkPolicy.metricsFrom) }}
{{- fail "the policies let nobody ask for metrics: networkPolicy.metricsFrom names Prometheus" }}
{{- end }}
{{- end }}
