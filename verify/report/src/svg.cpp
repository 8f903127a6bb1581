// Pictures as SVG: a lane for each thread, with time going down. Each box is below the previous one
// in its lane, and below the boxes in other lanes that it reads from or synchronizes with, so that
// these lines lead down.
#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "fencepost/verify/drawing.hpp"
#include "fencepost/verify/text.hpp"
#include "picture.hpp"

namespace fencepost::verify {
namespace {

// Pixels.
constexpr int margin = 16;
constexpr int lane_width = 316;
constexpr int lane_gap = 120;  // for the lines and their labels
constexpr int line_height = 16;
constexpr int padding = 7;
constexpr int row_gap = 16;
constexpr int step_down = 18;  // at least, of a line to another lane
constexpr int heading = 26;
constexpr int narrowest = 420;  // width of a picture
constexpr int port = 9;         // between lines that end at one side of a box
constexpr int arrow = 7;        // its length
constexpr std::size_t text_columns = 41;
constexpr std::size_t code_columns = 45;  // in a smaller font

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return out;
}

std::string at(int x, int y) { return std::to_string(x) + "," + std::to_string(y); }

class lanes {
 public:
  explicit lanes(const picture& p) : picture_(p), places_(p.boxes.size()) {
    top_ = margin + (p.title.empty() ? 0 : heading);
    place_boxes();
    place_ports();
  }

  int width() const { return std::max(x_of(picture_.lanes.size()) - lane_gap + margin, narrowest); }
  int height() const { return bottom_ + 22 * static_cast<int>(kinds().size() + 1) / 2 + margin; }

  std::string text() const {
    std::string out;
    if (!picture_.title.empty()) out += line(margin, margin + 12, "heading", picture_.title);
    for (std::size_t i = 0; i < picture_.lanes.size(); ++i) {
      out += line(x_of(i), top_ + 12, "heading", picture_.lanes[i]);
    }
    for (std::size_t i = 0; i < picture_.links.size(); ++i) out += edge(i, false);
    for (std::size_t i = 0; i < picture_.boxes.size(); ++i) out += box(i);
    for (std::size_t i = 0; i < picture_.links.size(); ++i) out += edge(i, true);
    return out + key();
  }

 private:
  struct place {
    int y = 0;
    int height = 0;
    std::vector<std::string> text;
  };
  struct ends {
    int from = 0;
    int to = 0;
  };

  static int x_of(std::size_t lane) {
    return margin + static_cast<int>(lane) * (lane_width + lane_gap);
  }
  const picture::box& box_at(std::size_t i) const { return picture_.boxes[i]; }
  bool within_lane(const picture::link& l) const {
    return box_at(l.from).lane == box_at(l.to).lane;
  }

  void place_boxes() {
    std::vector<int> free(picture_.lanes.size(), top_ + heading);
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const picture::box& b = box_at(i);
      place& p = places_[i];
      p.text = wrapped("#" + std::to_string(b.step + 1) + " " + b.text, text_columns);
      const auto lines =
          static_cast<int>(p.text.size()) + (b.place.empty() ? 0 : 1) + (b.code.empty() ? 0 : 1);
      p.height = lines * line_height + 2 * padding;
      p.y = free[b.lane] + (picture_.left_out[i] != 0 ? line_height : 0);
      for (const picture::link& l : picture_.links) {
        const bool leads_down = l.kind == picture::line::reads ||
                                l.kind == picture::line::synchronizes ||
                                l.kind == picture::line::thread;
        if (l.to != i || l.from >= i || within_lane(l) || !leads_down) continue;
        p.y = std::max(p.y, places_[l.from].y + step_down);
      }
      free[b.lane] = p.y + p.height + row_gap;
    }
    bottom_ = *std::max_element(free.begin(), free.end());
  }

  // Spreads the lines at one side of a box, in the order of their other ends.
  void place_ports() {
    ports_.resize(picture_.links.size());
    std::map<std::pair<std::size_t, bool>, std::vector<std::pair<int, int*>>> sides;
    for (std::size_t i = 0; i < picture_.links.size(); ++i) {
      const picture::link& l = picture_.links[i];
      if (within_lane(l)) continue;
      const bool to_right = box_at(l.from).lane < box_at(l.to).lane;
      sides[{l.from, to_right}].emplace_back(places_[l.to].y, &ports_[i].from);
      sides[{l.to, !to_right}].emplace_back(places_[l.from].y, &ports_[i].to);
    }
    for (auto& [side, all] : sides) {
      std::sort(all.begin(), all.end());
      const place& p = places_[side.first];
      const int apart = std::min(port, p.height / static_cast<int>(all.size() + 1));
      int y = p.y + (p.height - apart * static_cast<int>(all.size() - 1)) / 2;
      for (const auto& [other, port_y] : all) {
        *port_y = y;
        y += apart;
      }
    }
  }

  static std::string line(int x, int y, std::string_view kind, std::string_view text) {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\" class=\"" +
           std::string(kind) + "\">" + escaped(text) + "</text>\n";
  }

  std::string box(std::size_t i) const {
    const picture::box& b = box_at(i);
    const place& p = places_[i];
    const int x = x_of(b.lane);
    std::string out;
    if (const std::size_t count = picture_.left_out[i]; count != 0) {
      out += line(x, p.y - 5, "faint", "... " + std::to_string(count) + " steps left out ...");
    }
    out += "<g class=\"step" + std::string(b.wrong ? " wrong" : "") + "\" data-step=\"" +
           std::to_string(b.step + 1) + "\">\n";
    out += "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(p.y) + "\" width=\"" +
           std::to_string(lane_width) + "\" height=\"" + std::to_string(p.height) +
           "\" rx=\"5\"/>\n";
    int y = p.y + padding + 12;
    for (const std::string& text : p.text) {
      out += line(x + 8, y, "access", text);
      y += line_height;
    }
    for (const std::string& text : {b.place, b.code}) {
      if (text.empty()) continue;
      out += line(x + 8, y, "faint", shortened(text, code_columns));
      y += line_height;
    }
    return out + "</g>\n";
  }

  // Returns the line of an edge or, since it is drawn above the boxes, its label.
  std::string edge(std::size_t i, bool labels) const {
    const picture::link& l = picture_.links[i];
    const std::string open = "<g class=\"edge " + std::string(class_of(l.kind)) +
                             "\" data-from=\"" + std::to_string(box_at(l.from).step + 1) +
                             "\" data-to=\"" + std::to_string(box_at(l.to).step + 1) + "\">";
    const place& from = places_[l.from];
    const place& to = places_[l.to];
    if (within_lane(l)) {
      if (labels) return {};
      const int x = x_of(box_at(l.from).lane) + lane_width / 2;
      const int y = from.y + from.height;
      return open + "<path d=\"M" + at(x, y) + " L" + at(x, to.y - arrow) +
             "\"/><path class=\"tip\" d=\"M" + at(x, to.y) + " l-4,-7 l8,0 z\"/></g>\n";
    }
    const bool right = box_at(l.from).lane < box_at(l.to).lane;
    const int x0 = x_of(box_at(l.from).lane) + (right ? lane_width : 0);
    const int x1 = x_of(box_at(l.to).lane) + (right ? 0 : lane_width);
    const int y0 = ports_[i].from;
    const int y1 = ports_[i].to;
    if (labels) {
      if (l.label.empty()) return {};
      // In the gap before the box that the edge points to.
      const int x = x1 + (right ? -lane_gap / 2 : lane_gap / 2);
      const int span = std::abs(x1 - x0);
      const int y = span == lane_gap ? (y0 + y1) / 2 : y1 + (y0 - y1) * 6 / 100;
      return open + "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y + 4) + "\">" +
             escaped(l.label) + "</text></g>\n";
    }
    const int bend = right ? lane_gap * 6 / 10 : -lane_gap * 6 / 10;
    const int tip = right ? -arrow : arrow;
    return open + "<path d=\"M" + at(x0, y0) + " C" + at(x0 + bend, y0) + " " + at(x1 - bend, y1) +
           " " + at(x1 + tip, y1) + "\"/><path class=\"tip\" d=\"M" + at(x1, y1) + " l" +
           at(tip, -4) + " l0,8 z\"/></g>\n";
  }

  std::set<picture::line> kinds() const {
    std::set<picture::line> all;
    for (const picture::link& l : picture_.links) all.insert(l.kind);
    return all;
  }

  // The legend of the lines, in two columns.
  std::string key() const {
    std::string out;
    int count = 0;
    const bool two_columns = picture_.lanes.size() > 1;
    for (const picture::line kind : kinds()) {
      const int x = margin + (two_columns && count % 2 != 0 ? lane_width + lane_gap : 0);
      const int y = bottom_ + 8 + 22 * (two_columns ? count / 2 : count);
      out += "<g class=\"edge " + std::string(class_of(kind)) + "\"><path d=\"M" + at(x, y) +
             " l30,0\"/><path class=\"tip\" d=\"M" + at(x + 37, y) + " l-7,-4 l0,8 z\"/></g>" +
             line(x + 46, y + 4, "faint", meaning_of(kind));
      ++count;
    }
    return out;
  }

  const picture& picture_;
  std::vector<place> places_;
  std::vector<ends> ports_;
  int top_ = 0;
  int bottom_ = 0;
};

// Draws the pictures one below the other.
std::string svg(const std::vector<picture>& pictures, const drawing_style& style) {
  std::string inside;
  int width = narrowest;
  int height = 0;
  for (const picture& p : pictures) {
    if (p.boxes.empty()) {
      inside += "<text x=\"16\" y=\"" + std::to_string(height + 24) + "\">no steps</text>\n";
      height += 40;
      continue;
    }
    const lanes one(p);
    inside +=
        "<g transform=\"translate(0," + std::to_string(height) + ")\">\n" + one.text() + "</g>\n";
    width = std::max(width, one.width());
    height += one.height();
  }
  const std::string title =
      pictures.empty() || pictures.front().title.empty() ? "execution" : pictures.front().title;
  std::string out = "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"fp-graph\" width=\"" +
                    std::to_string(width) + "\" height=\"" + std::to_string(height) +
                    "\" viewBox=\"0 0 " + std::to_string(width) + " " + std::to_string(height) +
                    "\" role=\"img\">\n<title>" + escaped(title) + "</title>\n";
  if (style.style_sheet) out += "<style>" + svg_style_sheet() + "</style>\n";
  return out + "<rect class=\"ground\" width=\"100%\" height=\"100%\"/>\n" + inside + "</svg>";
}

}  // namespace

std::string to_svg(const counterexample& c, const drawing_style& style) {
  return svg({picture(c, &c, style)}, style);
}

std::string to_svg(const std::map<std::string, execution>& all, const drawing_style& style) {
  std::vector<picture> pictures;
  for (const auto& [title, e] : all) {
    drawing_style one = style;
    if (!title.empty()) one.title += (one.title.empty() ? "" : ": ") + title;
    pictures.emplace_back(e, nullptr, one);
  }
  return svg(pictures, style);
}

}  // namespace fencepost::verify
