// Each page under axe-core in headless Chromium: dark and light, as wide as a telephone and as a desk.
const fs = require("fs");
const { chromium } = require("playwright-core");
const axe = fs.readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

(async () => {
  const options = ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
  const browser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: options });
  let faults = 0;
  for (const file of process.argv.slice(2)) {
    for (const colorScheme of ["light", "dark"]) {
      for (const width of [390, 1280]) {
        // The page's own policy forbids scripts: axe is let in past it, and what the page itself would run is watched.
        const context = await browser.newContext({ bypassCSP: true, colorScheme, viewport: { width, height: 800 } });
        const page = await context.newPage();
        const said = (what) => { faults += 1; console.log(`${file} (${colorScheme}, ${width}): ${what}`); };
        page.on("dialog", (dialog) => { said("a script ran"); dialog.dismiss(); });
        page.on("request", (request) => request.url().startsWith("file:") || request.url().startsWith("data:") || said(`asks for ${request.url()}`));
        await page.goto(`file://${file}`);
        await page.evaluate(axe);
        const { violations } = await page.evaluate(() => axe.run());
        for (const found of violations) said(`${found.id}: ${found.help} (${found.nodes.length}, such as ${found.nodes[0].html})`);
        if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)) said("it has to be scrolled sideways");
        await context.close();
      }
    }
  }
  await browser.close();
  process.exit(faults ? 1 : 0);
})();
