// The files of the page that verify --html writes; page.cpp is generated from them.
#pragma once

namespace fencepost::cli {

extern const char* const page_html;
extern const char* const page_css;
extern const char* const page_js;
// What the page of the certificate adds to page_css.
extern const char* const certificate_css;

}  // namespace fencepost::cli
