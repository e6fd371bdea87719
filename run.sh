export PATH=$PWD/node_modules/.bin:$PATH
for s in choice margin without-ends gaps; do date; nice -n 4 npx tsx test/bench/main.ts --simulate --only $s --write; done; date
