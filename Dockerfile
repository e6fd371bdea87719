# docker build --tag tandem .      How to run it: docs/guides/ci.md
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
# No script of a package is run: what tandem needs of them is built, or brings its binary.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run --silent prepare && find dist -name "*.map" -delete

FROM node:24.21.0-bookworm-slim
# Only Node is needed of what the base brings. The folder of results belongs to the user, so that a new volume on it does too.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /usr/local/bin/yarn* /opt/yarn* \
  && install -d -o 1000 -g 1000 /results \
  && mkdir -p /project
COPY --from=build /src/package.json /src/LICENSE /opt/tandem/
COPY --from=build /src/dist /opt/tandem/dist
COPY --from=build /src/datasets /opt/tandem/datasets
RUN ln -s /opt/tandem/dist/main.js /usr/local/bin/tandem
ENV NODE_ENV=production
USER 1000:1000
WORKDIR /project
VOLUME ["/results"]
HEALTHCHECK NONE
ENTRYPOINT ["tandem"]
CMD ["--help"]
