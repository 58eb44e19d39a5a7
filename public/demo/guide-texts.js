/** The shop's guides: how its things are made, chosen and looked after. */
export const guides = [
  [
    'washing-linen',
    'Washing linen',
    'Thirty degrees, half a drum, no softener. Iron it while it is damp, or not at all.',
  ],
  [
    'brass-that-ages',
    'Brass that ages',
    'We leave it without lacquer. It darkens where nobody touches it and stays bright where you do.',
  ],
  [
    'light-for-reading',
    'Light for reading',
    'Behind the shoulder and below the eye: the page should be the brightest thing in the room.',
  ],
  [
    'hanging-a-pendant',
    'Hanging a pendant',
    'Sixty centimetres above the table is low enough to gather people and high enough to see them.',
  ],
  ['choosing-a-bulb', 'Choosing a bulb', 'Warm is 2,700 kelvin. For a floor lamp, 800 lumens are enough.'],
  [
    'measuring-for-curtains',
    'Measuring for curtains',
    'Measure the rail, not the window, and double it. Add ten centimetres for the hem.',
  ],
  [
    'velvet-and-the-sun',
    'Velvet and the sun',
    'Line it. Velvet in a south window loses its colour in two summers.',
  ],
  [
    'felt-on-walls',
    'Felt on walls',
    'Three millimetres take the echo out of a hall. Staple it at the top, glue it at the foot.',
  ],
  [
    'folding-paper-shades',
    'Folding paper shades',
    'One sheet, forty folds, no glue. Emi has made them since 2009 and still counts aloud.',
  ],
  [
    'the-opal-glass-works',
    'The opal glass works',
    'Six people, two furnaces and a cat. The glass turns white only as it cools.',
  ],
  [
    'the-indigo-vat',
    'The indigo vat',
    'Yarn comes out of the vat green and turns blue in the air. Ten dips make our shade.',
  ],
  [
    'how-we-pack',
    'How we pack',
    'Straw, paper and string. If something arrives broken, we send another one the same day.',
  ],
  ['delivery', 'Delivery', 'Within two days, free above € 80. Fabrics travel as letters, lamps by carrier.'],
  ['returns', 'Returns', 'Thirty days, whatever the reason. Cut fabric too, if the length is whole.'],
  ['repairs', 'Repairs', 'We rewire any lamp that we sold. Send it without the shade.'],
  [
    'wholesale',
    'For interior designers',
    'Trade prices from the third order, and swatches of every fabric for nothing.',
  ],
].map(([slug, title, text]) => ({ slug, title, text }))
