{{/* A pod's template. Takes (dict "root" $ "name" "engine"). */}}
{{- define "pandemonium.pod" -}}
{{- $root := .root }}
{{- $name := .name }}
{{- $values := get $root.Values $name }}
{{- $ports := get (include "pandemonium.ports" $root | fromYaml) $name }}
{{- $http := has $name (list "gateway" "ops") }}
{{- $certificate := include "pandemonium.certificate" . }}
{{- $redisTls := and (ne $name "bots") $root.Values.redis.tls.secret }}
{{- $databaseTls := and (eq $name "scoring") $root.Values.database.tls.secret }}
metadata:
  labels:
    {{- include "pandemonium.selector" . | nindent 4 }}
  annotations:
    # A changed address restarts who reads it.
    checksum/secrets: {{ printf "%s %s" (include "pandemonium.redisUrl" $root) $root.Values.database.url | sha256sum }}
    {{- with $values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  serviceAccountName: {{ include "pandemonium.fullname" $root }}
  automountServiceAccountToken: false
  # Or every Service's address would be among the settings.
  enableServiceLinks: false
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  # preStop, the stop, and a little more, before it is killed.
  terminationGracePeriodSeconds: {{ add $root.Values.preStopSeconds $values.stopSeconds 5 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  {{- with $values.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  topologySpreadConstraints:
    {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
    - maxSkew: 1
      topologyKey: {{ . }}
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "pandemonium.selector" (dict "root" $root "name" $name) | nindent 10 }}
    {{- end }}
  containers:
    - name: {{ $name }}
      image: "{{ $root.Values.image.repository }}:{{ $root.Values.image.tag | default $root.Chart.AppVersion }}"
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      command: [python, -m, services.{{ $name }}]
      env:
        {{- $env := mergeOverwrite (include "pandemonium.env" . | fromYaml) $values.env }}
        {{- range $variable, $value := $env }}
        - {name: {{ $variable }}, value: {{ $value | toString | quote }}}
        {{- end }}
        # A process tells the console where its metrics are, and nobody can look up a pod's name.
        {{- $metricsHost := printf "%s_METRICS_HOST" (upper $name) }}
        {{- if not (hasKey $env $metricsHost) }}
        - {name: {{ $metricsHost }}, valueFrom: {fieldRef: {fieldPath: status.podIP}}}
        {{- end }}
      ports:
        - {name: {{ ternary "http" "grpc" $http }}, containerPort: {{ $ports.serve }}}
        - {name: metrics, containerPort: {{ $ports.metrics }}}
      # Startup and liveness: the process answers. Readiness: it can serve. A process that drains is not ready, and alive;
      # one that waits for Redis when it starts has not begun to listen, and is given five minutes.
      startupProbe:
        {{- if $http }}
        httpGet: {path: /healthz, port: http}
        {{- else }}
        tcpSocket: {port: grpc}
        {{- end }}
        periodSeconds: 2
        timeoutSeconds: 2
        failureThreshold: 150
      livenessProbe:
        {{- if $http }}
        httpGet: {path: /healthz, port: http}
        {{- else }}
        tcpSocket: {port: grpc}
        {{- end }}
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        {{- if $http }}
        httpGet: {path: /readyz, port: http}
        {{- else if $certificate }}
        # Kubernetes' own question has no TLS. A process is started for this one, so it is asked less often.
        exec: {command: [python, -m, services.runtime.healthcheck, "grpc://127.0.0.1:{{ $ports.serve }}"]}
        {{- else }}
        grpc: {port: {{ $ports.serve }}}
        {{- end }}
        {{- if and $certificate (not $http) }}
        periodSeconds: 10
        timeoutSeconds: 5
        {{- else }}
        periodSeconds: 2
        timeoutSeconds: 2
        {{- end }}
        failureThreshold: 2
      lifecycle:
        preStop:
          exec: {command: [sleep, {{ $root.Values.preStopSeconds | toString | quote }}]}
      resources:
        {{- toYaml $values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: tmp, mountPath: /tmp}
        {{- if ne $name "bots" }}
        - {name: secrets, mountPath: /run/secrets/pandemonium, readOnly: true}
        {{- end }}
        {{- if eq $name "ops" }}
        - {name: accounts, mountPath: /run/secrets/accounts, readOnly: true}
        {{- end }}
        {{- if $certificate }}
        - {name: tls, mountPath: /run/secrets/tls, readOnly: true}
        {{- end }}
        {{- if $redisTls }}
        - {name: redis-tls, mountPath: /run/secrets/redis-tls, readOnly: true}
        {{- end }}
        {{- if $databaseTls }}
        - {name: database-tls, mountPath: /run/secrets/database-tls, readOnly: true}
        {{- end }}
  volumes:
    - name: tmp
      emptyDir: {sizeLimit: 64Mi}
    {{- if ne $name "bots" }}
    - name: secrets
      projected:
        defaultMode: 0440
        sources:
          - secret:
              name: {{ include "pandemonium.redisSecret" $root }}
              items: [{key: {{ $root.Values.redis.secretKey }}, path: redis_url}]
          {{- if eq $name "scoring" }}
          - secret:
              name: {{ include "pandemonium.databaseSecret" $root }}
              items: [{key: {{ $root.Values.database.secretKey }}, path: scoring_database_url}]
          {{- end }}
    {{- end }}
    {{- if eq $name "ops" }}
    - name: accounts
      secret: {secretName: {{ $root.Values.ops.accountsSecret }}, defaultMode: 0440}
    {{- end }}
    {{- if $certificate }}
    - name: tls
      secret:
        secretName: {{ $certificate }}
        defaultMode: 0440
        items: {{ include "pandemonium.tlsItems" (dict "clientCertificate" true) | nindent 10 }}
    {{- end }}
    {{- if $redisTls }}
    - name: redis-tls
      secret:
        secretName: {{ $root.Values.redis.tls.secret }}
        defaultMode: 0440
        items: {{ include "pandemonium.tlsItems" $root.Values.redis.tls | nindent 10 }}
    {{- end }}
    {{- if $databaseTls }}
    - name: database-tls
      secret:
        secretName: {{ $root.Values.database.tls.secret }}
        defaultMode: 0440
        items: {{ include "pandemonium.tlsItems" $root.Values.database.tls | nindent 10 }}
    {{- end }}
{{- end }}

{{/* A service's variables, as a map. */}}
{{- define "pandemonium.env" -}}
{{- $root := .root }}
{{- $name := .name }}
{{- $prefix := upper $name }}
{{- $values := get $root.Values $name }}
{{- $full := include "pandemonium.fullname" $root }}
LOG_FORMAT: json
LOG_LEVEL: {{ $root.Values.logLevel }}
TRACE_SHARE: {{ $root.Values.traces.share | quote }}
OTEL_EXPORTER_OTLP_ENDPOINT: {{ $root.Values.traces.endpoint }}
{{ $prefix }}_HOST: 0.0.0.0
{{ $prefix }}_PORT: {{ get (get (include "pandemonium.ports" $root | fromYaml) $name) "serve" | quote }}
{{ $prefix }}_STOP_SECONDS: {{ $values.stopSeconds | quote }}
{{- if ne $name "bots" }}
SECRETS_DIR: /run/secrets/pandemonium
{{- end }}
{{- if has $name (list "gateway" "lobby" "ops") }}
{{ $prefix }}_ENGINES: {{ include "pandemonium.engines" $root }}
{{- end }}
{{- if has $name (list "gateway" "bots" "ops") }}
{{ $prefix }}_LOBBY: {{ $full }}-lobby:7010
{{- end }}
{{- if has $name (list "gateway" "lobby") }}
{{ $prefix }}_SCORING: {{ $full }}-scoring:7020
{{- end }}
{{- if eq $name "gateway" }}
GATEWAY_DRAIN_PER_SECOND: {{ $values.drainPerSecond | quote }}
GATEWAY_FORWARDED_ALLOW_IPS: {{ $values.forwardedAllowIps | default (ternary "*" "127.0.0.1" $root.Values.networkPolicy.enabled) | quote }}
{{- end }}
{{- if eq $name "bots" }}
BOTS_GATEWAY: http://{{ $full }}-gateway:8080
{{- end }}
{{- if eq $name "ops" }}
OPS_ACCOUNTS_FILE: /run/secrets/accounts/accounts
{{- end }}
{{- if include "pandemonium.certificate" . }}
GRPC_TLS_CERT: /run/secrets/tls/tls.crt
GRPC_TLS_KEY: /run/secrets/tls/tls.key
GRPC_TLS_CA: /run/secrets/tls/ca.crt
{{- end }}
{{- with $root.Values.database.tls }}
{{- if and .secret (eq $name "scoring") }}
PGSSLMODE: verify-full
PGSSLROOTCERT: /run/secrets/database-tls/ca.crt
{{- if .clientCertificate }}
PGSSLCERT: /run/secrets/database-tls/tls.crt
PGSSLKEY: /run/secrets/database-tls/tls.key
{{- end }}
{{- end }}
{{- end }}
{{- end }}
