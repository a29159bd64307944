# The reference server. To build and to try it:
#   docker build -t topup-kit .
#   KEY=$(openssl rand -hex 24)
#   docker run --rm --detach --read-only -p 127.0.0.1:4000:4000 -e TOPUP_MODE=sandbox -e TOPUP_API_KEY="$KEY" \
#     -v topup-data:/data topup-kit
#   curl -H "X-API-KEY: $KEY" http://127.0.0.1:4000/api/games
# The well-known sandbox key works only inside the container.
#
# The image was never started. `npx -y pnpm@12 dockerfile FOLDER` runs the steps below without Docker.

FROM node:24-slim AS build
WORKDIR /src
COPY . .
RUN npx -y pnpm@12 install --frozen-lockfile
RUN npx -y pnpm@12 --filter @topup-kit/cli build

FROM node:24-alpine
LABEL org.opencontainers.image.licenses=MIT
COPY --from=build /src/LICENSE /src/packages/cli/dist /app/
RUN mkdir /data && chown node:node /data
USER node
WORKDIR /data
VOLUME /data
ENV HOST=0.0.0.0
ENV TOPUP_STORE=file:/data/topup.db
EXPOSE 4000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT || 4000}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin.mjs"]
CMD ["serve"]
